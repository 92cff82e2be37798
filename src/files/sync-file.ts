import { fdatasync, fsync } from "node:fs";
import { promisify } from "node:util";

// By the descriptor: the file handles of Yarn's Plug'n'Play have neither method.
type Descriptor = { readonly fd: number };

const syncAll = promisify(fsync);
const syncData = promisify(fdatasync);

/** Waits until a file, with what describes it, is on disk. */
export const syncFile = ({ fd }: Descriptor): Promise<void> => syncAll(fd);

/** Waits until the content of a file is on disk. */
export const syncContent = ({ fd }: Descriptor): Promise<void> => syncData(fd);
