/** A process that saves a state with so much text in it, for the tests of what refuses it: `state-saver.ts FILE LENGTH`. */
import { LocalBackend } from "../../src/state/backends/local-backend";
import { emptyState } from "../../src/state/model/model";

const [file = "", length = "0"] = process.argv.slice(2);

async function main(): Promise<void> {
  const backend = new LocalBackend(file);
  const state = (await backend.read()) ?? emptyState();
  state.outputs["text"] = { value: "x".repeat(Number(length)), type: "string", sensitive: false };
  await backend.write(state);
}

main().catch((problem: { diagnostics?: { code: string }[] }) => {
  process.stdout.write(problem.diagnostics?.[0]?.code ?? String(problem));
  process.exitCode = 1;
});
