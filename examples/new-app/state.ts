import { HttpBackend, type TerraformStack } from "cdktf";

/** Keeps the state of a stack on the platform in CI, where pipeline.yml runs, and in a file beside the app elsewhere. */
export function keepState(stack: TerraformStack): void {
  const id = stack.node.id;
  const { CI_API_V4_URL: api, CI_PROJECT_ID: project } = process.env;
  if (api === undefined) return;
  // User and password come from TF_HTTP_USERNAME and TF_HTTP_PASSWORD: see pipeline.yml.
  const address = `${api}/projects/${project}/terraform/state/${id}`;
  const lock = { lockAddress: `${address}/lock`, lockMethod: "POST" };
  const unlock = { unlockAddress: `${address}/lock`, unlockMethod: "DELETE" };
  new HttpBackend(stack, { address, ...lock, ...unlock });
}
