import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createIdentity } from "./transport/certificate";
import { handshakeEnvironment, isHandshakeLine, PROTOCOL_VERSION } from "./transport/handshake";

/** As long as Terraform waits. */
const PATIENCE = 60_000;

/**
 * Starts a program as Terraform would, waits until it serves, and ends it.
 *
 * @throws Error where it can't be started, or does not say that it serves
 */
export async function tryProgram(program: string, words: readonly string[] = []): Promise<void> {
  const child = spawn(program, words, {
    env: { ...process.env, ...handshakeEnvironment(createIdentity().certificatePem) },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: PATIENCE,
  });
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  const lines = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  const [line] = await Promise.race([lines, ended.then(() => [undefined])]);
  child.kill("SIGTERM");
  const [code, signal] = await ended;
  const name = words[0] ?? program;
  if (line === undefined) throw new Error(`${name} does not serve: it ended with ${code ?? signal}.`);
  if (!isHandshakeLine(line))
    throw new Error(`${name} does not speak version ${PROTOCOL_VERSION} of the plugin protocol.`);
  if (code !== 0) throw new Error(`${name} serves, and does not end well: it ended with ${code ?? signal}.`);
}
