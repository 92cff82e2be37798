import type { Provider, RequestEvent } from "../../framework";
import type { ViewArguments } from "../arguments/command-line";
import type { ProgramName } from "../arguments/stack-options";
import { Handlers } from "../run/handlers";
import { Interruption } from "../stacks/interruption";
import { ownProvider } from "../stacks/providers";
import { Waits } from "../stacks/waits";
import { createLog, type Log, logRequest } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { describeWait } from "../views/event-lines";
import { findProgram } from "./find-program";
import { initialize } from "./initialize";
import type { Passage } from "./passage";
import { runProgram } from "./run-program";

export interface EngineOptions extends ViewArguments {
  readonly engine: ProgramName;
  readonly parallelism?: number | undefined;
}

/** What a program wrote that nobody was to see at once. */
export interface Captured {
  readonly code: number;
  readonly out: string;
  /** Both streams. */
  readonly said: string;
}

interface ServedProvider {
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The provider has its token from this process: whoever else runs needs none, and can't give it away. */
const KEPT = new Set(["STEWARD_TOKEN", "STEWARD_TOKEN_FILE"]);
/** No questions, no hints at commands that nobody typed, and no calls home. */
const QUIET = { TF_IN_AUTOMATION: "1", TF_INPUT: "0", CHECKPOINT_DISABLE: "1" };

/** The program of another engine, and the provider of this process, which it uses instead of starting one. */
export class Engine {
  readonly program: string;
  readonly log: Log;
  readonly interruption: Interruption;
  readonly #terminal: Terminal;
  readonly #served: ServedProvider;

  private constructor(
    program: string,
    terminal: Terminal,
    log: Log,
    served: ServedProvider,
    interruption: Interruption,
  ) {
    this.program = program;
    this.log = log;
    this.interruption = interruption;
    this.#terminal = terminal;
    this.#served = served;
  }

  /** Finds the program and serves the provider. Asks nothing of the service before the program does. */
  static async open(
    options: EngineOptions,
    terminal: Terminal,
    notice: Notice,
    provider: Provider = ownProvider(terminal),
  ): Promise<Engine> {
    const program = findProgram(options.engine, terminal);
    const log = createLog(terminal);
    const interruption = new Interruption(terminal, notice);
    const served = await serve(provider, options, { terminal, log, notice, giveUp: interruption.abort });
    return new Engine(program, terminal, log, served, interruption);
  }

  /** Runs the program in a folder, and passes on what it writes. */
  run(folder: string, words: readonly string[], passage: Passage): Promise<number> {
    this.log.write("info", `running ${this.program} ${words[0]} in ${folder}`);
    return runProgram({
      program: this.program,
      words,
      folder,
      env: this.#environment(),
      onOut: passage.out,
      onErr: passage.err,
      stop: this.interruption.stop,
      abort: this.interruption.abort,
    });
  }

  /** Runs the program in a folder, and keeps what it writes. */
  async capture(folder: string, words: readonly string[]): Promise<Captured> {
    const out: string[] = [];
    const said: string[] = [];
    const code = await this.run(folder, words, {
      out(line) {
        out.push(line);
        said.push(line);
      },
      err: (line) => void said.push(line),
      end: () => undefined,
    });
    return { code, out: out.join("\n"), said: said.join("\n") };
  }

  initialize(folder: string): Promise<void> {
    const dataFolder = this.#terminal.env["TF_DATA_DIR"] || ".terraform";
    return initialize(folder, this.program, dataFolder, (words) => this.capture(folder, words));
  }

  #environment(): NodeJS.ProcessEnv {
    const own = Object.entries(this.#terminal.env).filter(([name]) => !KEPT.has(name));
    return { ...Object.fromEntries(own), ...QUIET, ...this.#served.env };
  }

  async close(): Promise<void> {
    this.interruption.close();
    await this.#served.close();
  }
}

type Notice = (text: string) => void;

interface Surroundings {
  readonly terminal: Terminal;
  readonly log: Log;
  readonly notice: Notice;
  readonly giveUp: AbortSignal;
}

function serve(
  provider: Provider,
  options: EngineOptions,
  { terminal, log, notice, giveUp }: Surroundings,
): Promise<ServedProvider> {
  // Loaded here: gRPC is needed by no other command.
  const { serveReattach }: typeof import("../../plugin") = require("../../plugin");
  const handlers = new Handlers(log, terminal, options);
  const waits = new Waits();
  const onRequest = handlers.guard((event: RequestEvent) => {
    logRequest(log, event);
    const wait = waits.worthTelling(event);
    if (wait !== undefined) notice(describeWait(wait));
  });
  return serveReattach(provider, {
    giveUp,
    run: {
      ...(options.parallelism !== undefined && { maxConcurrency: options.parallelism }),
      onRequest,
    },
    log: (level, message, facts) =>
      log.write(level, facts === undefined ? message : `${message} ${JSON.stringify(facts)}`),
  });
}
