/** Brokers that want to know who asks, and to be asked in secret (K1). */
import { boolean, choice, text } from '../kinds-plain.ts';
import { optional, setting } from '../setting.ts';

export const broker = {
  kafkaUser: optional(text('NAME', 'a name that the brokers know'), {
    help: 'Who this node is to Kafka, with --kafka-password.',
    example: 'orb',
    aliases: ['kafka-username', 'sasl-username'],
  }),
  kafkaPassword: optional(text('PASSWORD', 'the password of --kafka-user'), {
    help: 'Password of --kafka-user; best as ORB_BROKER_KAFKA_PASSWORD.',
    example: 'secret',
    secret: true,
    aliases: ['sasl-password'],
  }),
  kafkaSasl: setting(choice('scram-sha-512', 'scram-sha-256', 'plain'), 'scram-sha-512', {
    help: 'How the password is shown to Kafka.',
    example: 'scram-sha-256',
    aliases: ['sasl-mechanism'],
  }),
  kafkaTls: setting(boolean(), false, {
    help: "Speak TLS with Kafka; NODE_EXTRA_CA_CERTS names a CA of one's own.",
    example: 'true',
    aliases: ['kafka-ssl'],
  }),
};
