/** Another process that dials: says hello at an address whenever it is told to, and what came. */
import { once } from 'node:events';
import { connect } from 'node:net';

const [host = '', port] = (process.argv[2] ?? '').split(':');
process.on('message', async () => {
  const socket = connect({ host, port: Number(port) });
  socket.write('hello');
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  process.send?.(String(bytes));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
