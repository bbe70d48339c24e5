/** How to reach hosts, and which must not be reached (N2, Y1, H3). */
import { list } from '../kind.ts';
import { boolean } from '../kinds-plain.ts';
import { host, network as networkKind, serverAddress, webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

export const network = {
  allowPrivate: setting(boolean(), false, {
    help: 'Ask private and loopback addresses too.',
    example: 'true',
    aliases: ['allow-loopback', 'allow-local', 'allow-localhost'],
  }),
  allowNetwork: setting(list(networkKind()), [], {
    help: 'Ask addresses of this special-purpose network too; repeatable.',
    example: '169.254.7.0/24',
  }),
  blockHost: setting(list(host()), [], {
    help: 'Never ask this host or any host under it; repeatable.',
    example: 'ads.example.com',
    aliases: ['exclude-domains', 'block'],
  }),
  blockNetwork: setting(list(networkKind()), [], {
    help: 'Never ask addresses of this network; repeatable.',
    example: '203.0.113.0/24',
  }),
  insecure: setting(boolean(), false, {
    help: 'Take pages whose certificate is wrong; the record says so.',
    example: 'true',
    aliases: ['no-check-certificate', 'ignore-tls-errors', 'ignore-https-errors'],
  }),
  proxy: optional(webUrl('URL', 'a proxy such as http://127.0.0.1:3128'), {
    help: 'HTTP proxy for all requests; it then decides which addresses are reached.',
    example: 'http://127.0.0.1:3128',
    secret: true,
    aliases: ['proxy-server', 'http-proxy'],
  }),
  dns: setting(list(serverAddress()), [], {
    help: 'Name server to ask; repeatable.',
    example: '192.0.2.53',
    defaultText: "the system's",
    aliases: ['resolver', 'resolvers', 'dns-servers', 'nameserver'],
  }),
  http2: setting(boolean(), true, {
    help: 'Speak HTTP/2 with servers that offer it.',
    example: 'false',
  }),
};
