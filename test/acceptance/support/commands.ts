import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { runInProcess } from "../../cli/support/in-process";

/** A server in this process. It runs commands for scripts, one command after the other. */
export interface Commands {
  /** The folder with the socket, and with the files for the input and the output of a command. */
  readonly folder: string;
  close(): Promise<void>;
}

/**
 * Listens on a socket for commands, and responds with their exit codes. A request consists of texts that each end with a zero
 * byte: the number of arguments, the working folder, the arguments, and the environment. The input is in the file `in`;
 * output goes to `out` and `err`.
 */
export async function answerCommands(): Promise<Commands> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-commands-"));
  const file = (name: string) => path.join(folder, name);
  const server = createServer(async (request, response) => {
    const [count, cwd, ...texts] = (await buffer(request)).toString().split("\0");
    const args = texts.splice(0, Number(count));
    const variables = texts.filter((text) => text.includes("="));
    const env = Object.fromEntries(variables.map((text) => text.split(/=(.*)/s, 2) as [string, string]));
    const input = readFileSync(file("in"), "utf8");
    const before = process.cwd();
    // The process changes its working folder, because some settings name files relative to it.
    process.chdir(cwd!);
    const { code, out, err } = await runInProcess(args, { folder: cwd!, env, input });
    process.chdir(before);
    writeFileSync(file("out"), out);
    writeFileSync(file("err"), err);
    response.end(String(code));
  });
  await new Promise<void>((resolve) => server.listen(file("socket"), resolve));
  return {
    folder,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}
