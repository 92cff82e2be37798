// Replaces node:fs/promises in the sources.
import { absolute, disk, diskCall } from "./disk";
import { closeNow, opened, openNow, readNow, statNow, statsOf, writeNow } from "./fs";
import { systemError } from "./volume";

class SimulatedHandle {
  /** @param isReadBack true if this handle reads content that the same process wrote */
  constructor(
    readonly fd: number,
    private readonly isReadBack = false,
  ) {}

  stat = ({ bigint = false }: { readonly bigint?: boolean } = {}) =>
    diskCall(() => statsOf(opened(this.fd).inode, bigint));

  read = async (into: Uint8Array, offset: number, length: number, position: number | null) => {
    const read = () => ({ bytesRead: readNow(this.fd, into, offset, length, position) });
    // Does not count this read as a call at which the process may die. Otherwise, the numbers of calls in recorded
    // stories would change. Nothing is lost, because a death at a read changes no file.
    return this.isReadBack ? read() : diskCall(read);
  };

  write = (bytes: Buffer, offset = 0, length = bytes.length - offset, position: number | null = null) =>
    diskCall(() => ({ bytesWritten: writeNow(this.fd, bytes.subarray(offset, offset + length), position) }));

  writeFile = (text: string) => this.appendFile(text);

  appendFile = (text: string | Uint8Array) =>
    diskCall(() => {
      const bytes = Buffer.from(text);
      if (bytes.length === 0) return;
      const written = writeNow(this.fd, bytes, opened(this.fd).inode.content.length);
      if (written < bytes.length) throw systemError("ENOSPC", "write", opened(this.fd).file);
    });

  chmod = (mode: number) =>
    diskCall(() => {
      opened(this.fd).inode.mode = mode;
    });

  chown = () => diskCall(() => undefined);

  truncate = (length: number) => diskCall(() => disk().volume.truncate(opened(this.fd).inode, length));

  close = () => diskCall(() => closeNow(this.fd));
}

export type FileHandle = SimulatedHandle;

export const open = (file: string, flags: number | string, mode?: number) =>
  diskCall(() => new SimulatedHandle(openNow(file, flags, mode), flags === "wx+"));
export const stat = (file: string, options: { readonly bigint?: boolean } = {}) =>
  diskCall(() => statNow(file, options));
// The simulated disk has no links.
export const lstat = (file: string, options?: { readonly bigint?: boolean }) => stat(file, options);
export const readlink = (file: string) =>
  diskCall((): string => {
    throw systemError("EINVAL", "readlink", file);
  });
export const realpath = (file: string) =>
  diskCall(() => {
    disk().volume.get(absolute(file), "realpath");
    return absolute(file);
  });
export const readdir = (folder: string) => diskCall(() => disk().volume.list(absolute(folder)));

/** Executes a disk call that adds or replaces a file name. Faults of the disk can hit this call. */
const change = (call: string, file: string, work: (path: string) => void) =>
  diskCall(() => {
    disk().checkWrite(call, file);
    work(absolute(file));
  });

export const rename = (from: string, to: string) =>
  change("rename", from, (path) => disk().volume.rename(path, absolute(to)));
export const link = (from: string, to: string) =>
  change("link", from, (path) => disk().volume.link(path, absolute(to)));
// Removing a name needs no space, so faults of the disk do not hit this call.
export const unlink = (file: string) => diskCall(() => disk().volume.unlink(absolute(file)));
export const copyFile = (from: string, to: string) =>
  change("copyfile", from, (path) => disk().volume.link(path, absolute(to)));

export const mkdir = (): never => {
  throw new Error("mkdir is not simulated");
};
