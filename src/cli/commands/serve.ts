import { existsSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import { defined } from "../../json";
import { type Service, startService } from "../../service";
import { sentence } from "../../text";
import type { ServeArguments } from "../arguments/offline";
import { exitBySignal } from "../terminal/interruption";
import type { Terminal } from "../terminal/terminal";
import { writeListening } from "../views/command-results";

/** Runs the embedded service until a signal arrives. */
export async function serve(args: ServeArguments, terminal: Terminal): Promise<number> {
  const ended = new Promise<void>((resolve) => {
    let isStopRequested = false;
    terminal.onInterrupt((signal) => {
      if (isStopRequested) exitBySignal(terminal, signal);
      isStopRequested = true;
      resolve();
    });
  });
  const service = await start(args, terminal);
  writeListening(service.url, terminal, args);
  await ended;
  await service.close();
  return 0;
}

function start(
  { data, fixture, accessLog, faults, ...given }: ServeArguments,
  terminal: Terminal,
): Promise<Service> {
  if (data !== undefined) refuseMissingFolder(data, terminal);
  return startService({
    ...given,
    allowFaults: faults,
    ...defined({ data, fixture }),
    ...(accessLog && { accessLog: (line: string) => terminal.err.line(line) }),
  }).catch((problem: NodeJS.ErrnoException) =>
    notStarted(problem.code === "EADDRINUSE" ? portTaken(given) : sentence(problem.message)),
  );
}

/**
 * Refuses a data file in a folder that does not exist. The message of SQLite would name neither the file nor the missing
 * folder.
 */
function refuseMissingFolder(data: string, { folder }: Pick<Terminal, "folder">): void {
  const file = path.resolve(folder, data);
  if (existsSync(path.dirname(file))) return;
  notStarted(
    `${file} can't store the data, because the folder ${path.dirname(file)} does not exist. Create ` +
      "it, or correct --data.",
  );
}

const portTaken = ({ host, port }: Pick<ServeArguments, "host" | "port">): string =>
  `Another program uses the port ${port} of ${host}. Choose another port with --port, or a free one with --port 0.`;

const notStarted = (detail: string): never =>
  fail({ code: "service_not_started", summary: "Service can't be started", detail });
