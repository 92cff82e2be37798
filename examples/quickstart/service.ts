import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { say, stewardProgram } from "./steps";

export interface RunningService {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `steward serve` in a separate process, and waits until it listens. */
export async function startService(folder: string): Promise<RunningService> {
  const options = [
    ...["--data", path.join(folder, "service.sqlite")],
    ...["--fixture", path.join("examples", "quickstart", "fixture.yaml")],
    ...["--admin-token-file", path.join(folder, "admin-token")],
    ...["--port", "0"],
  ];
  const child = spawn(process.execPath, [stewardProgram, "serve", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Leaves out the hint for people who start the service by hand, because it would interrupt this output.
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (!line.endsWith("Press Ctrl-C to stop the service.")) process.stderr.write(`${line}\n`);
  });
  const lines = createInterface({ input: child.stdout });
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`steward serve ended with ${code} before it listened.`);
  });
  const [line] = (await Promise.race([once(lines, "line"), failed])) as [string];
  failed.catch(() => undefined);
  say(line);
  return {
    url: line.replace("listening on ", ""),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Sends a request with plain HTTP and the token of the group's owner. */
export async function api(method: string, place: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${process.env["STEWARD_BASE_URL"]}/api/v4${place}`, {
    method,
    headers: { "PRIVATE-TOKEN": "quickstart-owner-token", "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${place} was answered with ${answer.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
