import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Listens on a socket in a new folder that only this user can enter.
 *
 * @throws Error if the folder can't be created, or its path is longer than the system allows (about 100
 * characters)
 */
export async function listen(onConnection: (socket: Socket) => void, folder = tmpdir()) {
  const own = mkdtempSync(path.join(folder, "steward-"));
  const file = path.join(own, "plugin.sock");
  const remove = () => rmSync(own, { recursive: true, force: true });
  const server: Server = createServer(onConnection);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(file, resolve);
    });
  } catch (problem) {
    remove();
    throw problem;
  }
  return {
    path: file,
    /** Removes the socket's file. Existing connections stay, and new connections are impossible. */
    remove,
    /** Stops accepting connections, and removes the socket's file. */
    close() {
      server.close();
      remove();
    },
  };
}
