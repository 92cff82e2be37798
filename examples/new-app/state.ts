import { HttpBackend, type TerraformStack } from "cdktf";

/**
 * The project on the platform that keeps the states, by its number or path. Laptops and pipelines use the same place:
 * in two places, each would plan again the changes that the other has applied. Undefined keeps the states in files next to the
 * app, for a first try on one machine.
 */
const STATE_PROJECT: string | undefined = undefined;

/** Keeps the state of a stack on the platform. User and password come from TF_HTTP_USERNAME and TF_HTTP_PASSWORD. */
export function keepState(stack: TerraformStack): void {
  const { CI_API_V4_URL, CI_PROJECT_ID, STEWARD_BASE_URL } = process.env;
  if (STATE_PROJECT === undefined) {
    if (CI_PROJECT_ID === undefined) return;
    throw new Error(
      `A pipeline loses a state in a file. Set STATE_PROJECT in state.ts to "${CI_PROJECT_ID}". If a laptop has applied the app, copy its state first: ` +
        `npx steward state migrate --to '${CI_API_V4_URL}/projects/${CI_PROJECT_ID}/terraform/state/{stack}'`,
    );
  }
  const api = STEWARD_BASE_URL?.replace(/\/*(api\/v4\/*)?$/, "/api/v4") ?? CI_API_V4_URL;
  const address = `${api}/projects/${encodeURIComponent(STATE_PROJECT)}/terraform/state/${stack.node.id}`;
  const lock = { lockAddress: `${address}/lock`, lockMethod: "POST" };
  const unlock = { unlockAddress: `${address}/lock`, unlockMethod: "DELETE" };
  new HttpBackend(stack, { address, ...lock, ...unlock });
}
