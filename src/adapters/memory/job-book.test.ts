import { jobBookContract } from '../../ports/job-book.contract.ts';
import { MemoryJobBook } from './job-book.ts';

jobBookContract('memory', async () => ({ book: new MemoryJobBook() }));
