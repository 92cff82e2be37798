import { constants } from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";

/** The methods of a file handle that need free space. */
const NEEDING_SPACE = ["appendFile", "write", "writeFile", "sync", "datasync"] as const;

const { O_WRONLY, O_RDWR, O_CREAT } = constants;

const isWriting = (flags: string | number | undefined): boolean =>
  typeof flags === "number"
    ? (flags & (O_WRONLY | O_RDWR | O_CREAT)) !== 0
    : flags !== undefined && flags !== "r";

const failure = (code: string, call: string, file: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: ${call} '${file}'`), { code, syscall: call, path: file });

/**
 * Runs `work` while the disk fails for paths that begin with `folder`. From the call number `from` on, each new file and each
 * write throws the error. Calls are counted from 1. All other paths and calls use the real disk.
 *
 * @returns the result, and the number of calls that needed free space
 */
export async function onFailingDisk<T>(
  {
    folder,
    code,
    from,
  }: { readonly folder: string; readonly code: "ENOSPC" | "EROFS"; readonly from: number },
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly calls: number }> {
  let calls = 0;
  const { open } = promises;
  const count = (call: string, file: string) => {
    calls += 1;
    if (calls >= from) throw failure(code, call, file);
  };
  const limited = (handle: FileHandle, file: string): FileHandle => {
    for (const name of NEEDING_SPACE) {
      const call = handle[name].bind(handle) as (...args: unknown[]) => Promise<unknown>;
      Object.assign(handle, {
        [name]: async (...args: unknown[]) => {
          count(name, file);
          return call(...args);
        },
      });
    }
    return handle;
  };
  const spy = jest.spyOn(promises, "open").mockImplementation(async (file, flags, mode) => {
    if (!String(file).startsWith(folder) || !isWriting(flags)) return open(file, flags, mode);
    count("open", String(file));
    return limited(await open(file, flags, mode), String(file));
  });
  try {
    return { result: await work(), calls };
  } finally {
    spy.mockRestore();
  }
}
/**
 * Runs `work` on a disk that changes one byte of each temporary file in a folder. All other files use the real disk.
 *
 * @returns the result, and the number of changed files
 */
export async function onGarbledDisk<T>(folder: string, work: () => Promise<T>) {
  let garbled = 0;
  const { open } = promises;
  const garbling = (handle: FileHandle): FileHandle => {
    const append = handle.appendFile.bind(handle);
    let isDone = false;
    handle.appendFile = async (data, ...rest) => {
      const bytes = Buffer.from(data as Uint8Array);
      if (!isDone && bytes.length > 0) {
        garbled += 1;
        isDone = true;
        bytes[bytes.length >> 1]! ^= 1;
      }
      return append(bytes, ...rest);
    };
    return handle;
  };
  const spy = jest.spyOn(promises, "open").mockImplementation(async (file, flags, mode) => {
    const handle = await open(file, flags, mode);
    const isNew = String(file).startsWith(folder) && String(file).endsWith(".new");
    return isNew ? garbling(handle) : handle;
  });
  try {
    return { result: await work(), garbled };
  } finally {
    spy.mockRestore();
  }
}
