import { fdatasync, fsync } from "node:fs";
import { promisify } from "node:util";

// By the descriptor: the file handles of Yarn's Plug'n'Play have neither method.
type Descriptor = { readonly fd: number };

/** Waits until a file, with what describes it, is on disk. */
export const syncFile = ({ fd }: Descriptor): Promise<void> => promisify(fsync)(fd);

/** Waits until the content of a file is on disk. */
export const syncContent = ({ fd }: Descriptor): Promise<void> => promisify(fdatasync)(fd);
