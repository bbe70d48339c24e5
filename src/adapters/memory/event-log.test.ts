import { eventLogContract } from '../../ports/event-log.contract.ts';
import { MemoryEventLog } from './event-log.ts';

eventLogContract('memory', { open: async () => ({ log: new MemoryEventLog() }) });
