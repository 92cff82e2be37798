import { Channel } from "../../../src/cli/channel";
import { redactor } from "../../../src/cli/redact";
import type { Terminal } from "../../../src/cli/terminal";
import type { Ended, ProcessOptions } from "./process";

/**
 * Runs a command to its end in this process, without a terminal: what `steward` does, less the start of a process. What
 * only a process shows, such as signals and kills, is for `Steward`.
 */
export async function runInProcess(
  args: readonly string[],
  { folder, env = {} }: Pick<ProcessOptions, "folder" | "env">,
): Promise<Ended> {
  // Loaded when a test runs a command: most of the files that use this module's neighbours do not.
  const { run }: typeof import("../../../src/cli/program") = require("../../../src/cli/program");
  const written = { out: "", err: "" };
  const redact = redactor(env);
  const channel = (name: keyof typeof written) =>
    new Channel((text) => {
      written[name] += redact(text);
    });
  const { PATH = "", HOME = "" } = process.env;
  const terminal: Terminal = {
    env: { PATH, HOME, ...env },
    folder,
    out: channel("out"),
    err: channel("err"),
    interactive: false,
    ask: async () => undefined,
    onInterrupt: () => () => {},
    abort: (code) => {
      throw new Error(`The command ended at once with ${code}:\n${written.out}${written.err}`);
    },
  };
  const code = await run(args, terminal);
  return { code, ...written };
}
