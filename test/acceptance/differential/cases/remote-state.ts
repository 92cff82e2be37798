import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DifferentialCase } from "../case";

const FILE = path.join(tmpdir(), `steward-remote-${process.pid}.tfstate`);

/** The state of another configuration. */
async function writeState(text: string): Promise<void> {
  process.once("exit", () => rmSync(FILE, { force: true }));
  writeFileSync(
    FILE,
    JSON.stringify({
      version: 4,
      terraform_version: "1.11.4",
      serial: 1,
      lineage: "5d1e2c4a-0000-4000-8000-000000000001",
      outputs: {
        project: { value: text, type: "string" },
        levels: { value: [30, 40], type: ["list", "number"] },
        hidden: { value: "x", type: "string", sensitive: true },
      },
      resources: [],
    }),
  );
}

const read = (more: object = {}) => ({
  data: { terraform_remote_state: { remote: { backend: "local", config: { path: FILE }, ...more } } },
});

/** Values that other configurations keep in their states. */
export const remoteState: readonly DifferentialCase[] = [
  {
    name: "remote",
    steps: [
      {
        does: "takes outputs of another state, and defaults",
        byHand: () => writeState("acme/remote"),
        declares: {
          ...read({ defaults: { project: "lost", name: "production" } }),
          resource: {
            steward_protected_environment: {
              remote: {
                project: "${data.terraform_remote_state.remote.outputs.project}",
                name: "${data.terraform_remote_state.remote.outputs.name}",
                deploy_access_levels:
                  "${[for level in data.terraform_remote_state.remote.outputs.levels : { access_level = level }]}",
              },
            },
          },
          output: { remote: { value: "${data.terraform_remote_state.remote.outputs}" } },
        },
      },
    ],
  },
  {
    name: "remote_missing",
    steps: [
      {
        does: "is refused where there is no such state",
        fails: "plan",
        declares: {
          data: {
            terraform_remote_state: {
              remote_missing: { backend: "local", config: { path: `${FILE}.none` } },
            },
          },
        },
      },
    ],
  },
];
