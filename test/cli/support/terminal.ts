import { Channel, type Signal, type Terminal } from "../../../src/cli/terminal/terminal";

/** A terminal for tests. This terminal records the output, and gives prepared replies. */
export interface FakeTerminal extends Terminal {
  readonly written: { out: string; err: string };
  readonly asked: string[];
  /** Delivers a signal. */
  interrupt(signal?: Signal): void;
  readonly exits: number[];
}

export function fakeTerminal(
  options: {
    env?: Record<string, string>;
    folder?: string;
    isTerminal?: boolean;
    columns?: number;
    answer?: string;
  } = {},
): FakeTerminal {
  const written = { out: "", err: "" };
  const asked: string[] = [];
  const exits: number[] = [];
  const listeners = new Set<(signal: Signal) => void>();
  const isTerminal = options.isTerminal === true;
  const channel = (name: "out" | "err") =>
    new Channel(
      (text) => {
        written[name] += text;
      },
      isTerminal,
      () => options.columns,
    );
  return {
    written,
    asked,
    exits,
    env: options.env ?? {},
    folder: options.folder ?? "/nowhere",
    out: channel("out"),
    err: channel("err"),
    isInteractive: isTerminal,
    async ask(question) {
      asked.push(question.join("\n"));
      return options.answer;
    },
    async readInput() {
      throw new Error("nothing is piped in");
    },
    onInterrupt(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    every: () => () => undefined,
    abort: (code) => void exits.push(code),
    interrupt: (signal = "SIGINT") => {
      for (const listener of listeners) listener(signal);
    },
  };
}
