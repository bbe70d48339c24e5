/**
 * Kinds that know the web's own forms: URLs, hosts, networks, patterns, headers, and who we are.
 *
 * They check the form only. Whether a host exists or may be asked is not a matter of settings.
 */
import { isProblem, type Kind, type Parsed } from './kind.ts';
import { rate } from './kinds-plain.ts';

/** A text that must pass a check; the check answers with a value or with what is wrong. */
function checked<T>(
  form: string,
  expects: string,
  parse: (given: string) => Parsed<T>,
  write: (value: T) => string,
): Kind<T, ''> {
  return {
    form,
    expects,
    unit: '',
    suffix: '',
    json: ['string'],
    parse: (given) => parse(given.trim()),
    write,
  };
}

export function webUrl(
  form = 'URL',
  expects = 'a URL such as https://example.com/',
): Kind<string, ''> {
  return checked(
    form,
    expects,
    (given) => {
      const url = urlOf(given);
      if (url === undefined) return { problem: 'is not a URL' };
      const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
      return isWeb ? { value: url.href } : { problem: 'is not an http: or https: URL' };
    },
    String,
  );
}

/** A host over https with nothing behind it: `https://bot.example.com`. */
export function secureOrigin(): Kind<string, ''> {
  return checked(
    'ORIGIN',
    'an https origin such as https://bot.example.com',
    (given) => {
      const url = urlOf(given);
      if (url === undefined) return { problem: 'is not a URL' };
      if (url.protocol !== 'https:') return { problem: 'is not an https: URL' };
      const isBare = url.href === `${url.origin}/`;
      return isBare ? { value: url.origin } : { problem: 'has more than a host' };
    },
    String,
  );
}

function urlOf(given: string): URL | undefined {
  return URL.canParse(given) ? new URL(given) : undefined;
}

/** A hostname with an optional port, as the URL standard would write it. */
export function host(): Kind<string, ''> {
  return checked('HOST', 'a host such as www.example.com', readHost, String);
}

function readHost(given: string): Parsed<string> {
  const url = /[/?#@\\\s]/.test(given) ? undefined : urlOf(`http://${given}/`);
  if (url === undefined || url.host === '') return { problem: 'is not a host name' };
  return { value: url.host };
}

export interface HostRate {
  readonly host: string;
  readonly ratePerSecond: number;
}

export function hostRate(): Kind<HostRate, ''> {
  const perSecond = rate();
  return checked(
    'HOST=N',
    'a host and its rate, such as www.example.com=5',
    (given): Parsed<HostRate> => {
      const at = given.lastIndexOf('=');
      if (at < 1) return { problem: 'is not of the form HOST=N' };
      const name = readHost(given.slice(0, at));
      if (isProblem(name)) return { problem: 'does not begin with a host name' };
      const value = perSecond.parse(given.slice(at + 1));
      if (isProblem(value)) return { problem: `has a rate that ${value.problem}` };
      return { value: { host: name.value, ratePerSecond: value.value } };
    },
    (value) => `${value.host}=${perSecond.write(value.ratePerSecond)}`,
  );
}

/** An address or a network in CIDR form: `10.0.0.0/8`, `fc00::/7`, `192.0.2.1`. */
export function network(): Kind<string, ''> {
  return checked('CIDR', 'an address or network such as 192.0.2.0/24', readNetwork, String);
}

function readNetwork(given: string): Parsed<string> {
  const [address = '', bits, more] = given.split('/');
  const most = isIpv4(address) ? 32 : isIpv6(address) ? 128 : -1;
  if (most < 0 || more !== undefined) return { problem: 'is not an address or network' };
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  return isPrefix ? { value: given } : { problem: `has a prefix that is not 0 to ${most}` };
}

/** An IP address with an optional port, for name servers. */
export function serverAddress(): Kind<string, ''> {
  return checked(
    'ADDRESS',
    'an IP address such as 192.0.2.53, or [2001:db8::53]:5353 with a port',
    (given) => {
      const [, v6, bare = '', port = ''] =
        /^(?:\[([^\]]*)\]|([^:]*))(:\d{1,5})?$/.exec(given) ?? [];
      const isAddress = v6 !== undefined ? isIpv6(v6) : isIpv4(bare) || isIpv6(given);
      const isPort = port === '' || (Number(port.slice(1)) > 0 && Number(port.slice(1)) < 65_536);
      return isAddress && isPort ? { value: given } : { problem: 'is not an IP address' };
    },
    String,
  );
}

function isIpv4(given: string): boolean {
  const parts = given.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part < 256)
  );
}

function isIpv6(given: string): boolean {
  return /^[0-9a-f:.]+$/i.test(given) && given.includes(':') && URL.canParse(`http://[${given}]/`);
}

/** A use of pages, as preferences of sites name it: `search`, `ai-train`. */
export function purpose(): Kind<string, ''> {
  return checked('USE', 'a use such as search, ai-input or ai-train', readPurpose, String);
}

function readPurpose(given: string): Parsed<string> {
  const name = given.toLowerCase();
  if (!/^[a-z*][a-z0-9_.*-]*$/.test(name)) return { problem: 'is not the name of a use' };
  return { value: name === 'train-ai' ? 'ai-train' : name };
}

export function pattern(): Kind<RegExp, ''> {
  const kind = checked<RegExp>(
    'REGEX',
    "a JavaScript regular expression such as '/docs/'",
    (given) => {
      if (given === '') return { problem: 'is empty' };
      try {
        return { value: new RegExp(given) };
      } catch (cause) {
        const why = cause instanceof Error ? cause.message.replace(/^.*: /, '') : 'it is broken';
        return { problem: `does not compile (${why.toLowerCase()})` };
      }
    },
    (value) => (value.flags === '' ? value.source : String(value)),
  );
  return { ...kind, adopt: (value) => (value instanceof RegExp ? stateless(value) : undefined) };
}

/** The flags g and y make `test` remember where it was; a scope must not. */
function stateless(value: RegExp): RegExp {
  return new RegExp(value.source, value.flags.replace(/[gy]/g, ''));
}

export function mediaType(): Kind<string, ''> {
  return checked(
    'TYPE',
    'a media type such as text/html or application/*',
    (given) =>
      /^[\w!#$&^.+-]+\/([\w!#$&^.+-]+|\*)$/.test(given)
        ? { value: given.toLowerCase() }
        : { problem: 'is not a media type' },
    String,
  );
}

export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** These follow from the request and from other settings; a second opinion would be a lie. */
const OWN_HEADERS: ReadonlyMap<string, string> = new Map([
  ['user-agent', 'is set by --user-agent'],
  ['from', 'is set by --contact'],
  ['cookie', 'is set by --cookies'],
  ...['signature', 'signature-input', 'signature-agent'].map(
    (name) => [name, 'is made with --sign-key'] as const,
  ),
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'expect'].map(
    (name) => [name, 'is set for each request'] as const,
  ),
  ...['accept-encoding', 'if-none-match', 'if-modified-since', 'range'].map(
    (name) => [name, 'is decided by the crawler'] as const,
  ),
]);

export function header(): Kind<HeaderLine, ''> {
  return checked(
    "'NAME: VALUE'",
    "a header line such as 'Accept-Language: en'",
    (given): Parsed<HeaderLine> => {
      const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/.exec(given) ?? [];
      if (name === '') return { problem: "is not of the form 'Name: value'" };
      const owner = OWN_HEADERS.get(name.toLowerCase());
      if (owner !== undefined) return { problem: `names the header ${name}, which ${owner}` };
      if (!isFieldText(value)) return { problem: 'holds characters that no header may hold' };
      return { value: { name: name.toLowerCase(), value } };
    },
    ({ name, value }) => `${name}: ${value}`,
  );
}

export function cookie(): Kind<string, ''> {
  return checked(
    'NAME=VALUE',
    'a cookie such as session=abc',
    (given) =>
      /^[\w!#$%&'*+.^`|~-]+=[^\s;,]*$/.test(given) && isFieldText(given)
        ? { value: given }
        : { problem: 'is not of the form name=value' },
    String,
  );
}

function isFieldText(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** Product and version, as they stand in the user agent (P6). */
export function product(): Kind<string, ''> {
  return checked(
    'NAME/VERSION',
    'a product name and version such as MyBot/1.0',
    (given) =>
      /^[a-z_-][\w-]*\/[\w.+-]+$/i.test(given) && given.length <= 100
        ? { value: given }
        : { problem: 'is not of the form Name/version' },
    String,
  );
}

/** RFC 9309, 2.2.1: letters, `_` and `-` only. */
export function robotsToken(): Kind<string, ''> {
  return checked(
    'TOKEN',
    'a name of letters, - and _ such as MyBot',
    (given) =>
      /^[a-z_-]{1,100}$/i.test(given)
        ? { value: given }
        : { problem: 'holds more than letters, - and _' },
    String,
  );
}

/** Where a site's owner reaches the operator: a web page or a mailbox. */
export function contact(): Kind<string, ''> {
  const page = webUrl();
  return checked(
    'URL|MAIL',
    'a URL or a mail address such as crawler@example.com',
    (given) => {
      const mail = given.replace(/^mailto:/i, '');
      if (/^[^\s@<>()"',;]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(mail) && isFieldText(mail)) {
        return { value: mail };
      }
      return isProblem(page.parse(given))
        ? { problem: 'is neither a URL nor a mail address' }
        : page.parse(given);
    },
    String,
  );
}
