import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import {
  createIdentity,
  handshakeEnvironment,
  isHandshakeLine,
  PROTOCOL_VERSION,
} from "../transport/handshake";

/**
 * The time in milliseconds within which a plugin must serve. Terraform waits for one minute too before it reports an
 * error.
 */
const TIMEOUT = 60_000;

/**
 * Starts a program as Terraform would, waits until the program serves, and ends the program.
 *
 * @throws Error if it can't be started, or does not serve
 */
export async function tryProgram(program: string, args: readonly string[] = []): Promise<void> {
  const child = spawn(program, args, {
    env: { ...process.env, ...handshakeEnvironment(createIdentity().certificatePem) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The `timeout` option of spawn keeps running if the program can't be started.
  const timeout = setTimeout(() => child.kill("SIGTERM"), TIMEOUT);
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  const lines = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  const [line] = await Promise.race([lines, ended.then(() => [undefined])]).finally(() =>
    clearTimeout(timeout),
  );
  child.kill("SIGTERM");
  const [code, signal] = await ended;
  const name = args[0] ?? program;
  if (line === undefined) throw new Error(`${name} does not serve: it exited with ${code ?? signal}.`);
  if (!isHandshakeLine(line))
    throw new Error(`${name} does not speak version ${PROTOCOL_VERSION} of the plugin protocol.`);
  if (code !== 0)
    throw new Error(`${name} serves, but does not end properly: it exited with ${code ?? signal}.`);
}
