import { secretsOf } from "../../../src/cli/terminal/redact";
import { Channel, type Signal, type Terminal } from "../../../src/cli/terminal/terminal";
import type { Ended, ProcessOptions } from "./process";

type Options = Pick<ProcessOptions, "folder" | "env"> & {
  /** Returns the reply to a question. The signal cancels the wait for the reply. */
  readonly ask?: Terminal["ask"];
  /** The standard input. */
  readonly input?: string;
  /**
   * Whether the outputs are a terminal. On a terminal, repeating timers fire at each turn of the event loop, and their
   * period is ignored.
   */
  readonly isTerminal?: boolean;
};

/** A command running in this process. */
export interface Begun {
  readonly ended: Promise<Ended>;
  /** Delivers a signal to the command. */
  interrupt(signal?: Signal): void;
  /**
   * Resolves with the output once it contains a text. Rejects with the whole output if the command ends without the
   * text.
   */
  wrote(text: string): Promise<string>;
}

/** The width of the terminal. */
const COLUMNS = 200;

/** Calls `callback` at each turn of the event loop. Returns a function that ends this. */
function onEachTurn(callback: () => void): () => void {
  let next = setImmediate(function ring() {
    callback();
    next = setImmediate(ring);
  });
  return () => clearImmediate(next);
}

/**
 * Runs a command to its end in this process, without a terminal. Unlike `steward`, it starts no process. A test needs
 * `Steward` instead if it kills a process or checks other effects of a process.
 */
export const runInProcess = (args: readonly string[], options: Options): Promise<Ended> =>
  beginInProcess(args, options).ended;

/** Starts a command in this process. Signals may end the command early. */
export function beginInProcess(
  args: readonly string[],
  { folder, env = {}, ask, input = "", isTerminal = false }: Options,
): Begun {
  // The program is loaded at first use, because many test files import this folder without running a command.
  const { run }: typeof import("../../../src/cli/program") = require("../../../src/cli/program");
  const written = { out: "", err: "" };
  const secrets = secretsOf(env);
  const listeners = new Set<(signal: Signal) => void>();
  const waiting = new Set<() => void>();
  const channel = (name: keyof typeof written) =>
    new Channel(
      (text) => {
        written[name] += secrets.redactText(text);
        for (const check of waiting) check();
      },
      isTerminal,
      () => (isTerminal ? COLUMNS : undefined),
    );
  const { PATH = "", HOME = "" } = process.env;
  const terminal: Terminal = {
    env: { PATH, HOME, ...env },
    folder,
    out: channel("out"),
    err: channel("err"),
    isInteractive: ask !== undefined,
    ask: ask ?? (async () => undefined),
    readInput: async () => Buffer.from(input),
    onInterrupt(callback) {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
    // The period is ignored, so that the output of a command does not depend on the load of the machine.
    every: (_, callback) => (isTerminal ? onEachTurn(callback) : () => undefined),
    abort: (code) => {
      throw new Error(`The command ended at once with ${code}:\n${written.out}${written.err}`);
    },
  };
  const ended = run(args, terminal).then((code) => ({ code, ...written }));
  return {
    ended,
    interrupt(signal = "SIGTERM") {
      for (const listener of [...listeners]) listener(signal);
    },
    async wrote(text) {
      const isThere = () => `${written.out}${written.err}`.includes(text);
      const seen = new Promise<void>((resolve) => {
        const check = () => isThere() && resolve();
        waiting.add(check);
        check();
      });
      await Promise.race([seen, ended]);
      if (!isThere()) throw new Error(`"${text}" was never written:\n${written.out}${written.err}`);
      return `${written.out}${written.err}`;
    },
  };
}
