import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DifferentialCase } from "../case";
import { TOKEN } from "../support/live-service";
import { SERVICE } from "../support/normal-form";

const FILE = path.join(tmpdir(), `steward-remote-${process.pid}.tfstate`);

/** Writes the state of a second configuration. The cases read this state. */
async function writeState(text: string): Promise<void> {
  process.once("exit", () => rmSync(FILE, { force: true }));
  writeFileSync(FILE, JSON.stringify(stateOf(text)));
}

const stateOf = (text: string) => ({
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
});

/** The path of a state on the service, below `/api/v4`. */
const HTTP_STATE = "/projects/acme%2Fremote_http/terraform/state/other";

const read = (more: object = {}) => ({
  data: { terraform_remote_state: { remote: { backend: "local", config: { path: FILE }, ...more } } },
});

/** Cases that read outputs from the states of other configurations. */
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
    name: "remote_http",
    steps: [
      {
        does: "takes outputs of a state behind http",
        byHand: (http) => http("POST", `${HTTP_STATE}?ID=1`, stateOf("acme/remote_http")),
        declares: {
          data: {
            terraform_remote_state: {
              remote_http: {
                backend: "http",
                config: {
                  address: `${SERVICE}/api/v4${HTTP_STATE}`,
                  username: "ada",
                  password: TOKEN,
                },
              },
            },
          },
          resource: {
            steward_protected_environment: {
              remote_http: {
                project: "${data.terraform_remote_state.remote_http.outputs.project}",
                name: "production",
                deploy_access_levels: [
                  { access_level: "${data.terraform_remote_state.remote_http.outputs.levels[1]}" },
                ],
              },
            },
          },
          output: { remote_http: { value: "${data.terraform_remote_state.remote_http.outputs.project}" } },
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
