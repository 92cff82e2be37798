import { existsSync } from "node:fs";
import path from "node:path";
import { parseJson } from "../../../../src/json";
import type { ReattachServer } from "../../../../src/plugin";
import { Workspace } from "../../../plugin/support/workspace";
import type { Applied, Declared, Engine, Planned, Request } from "./engine";
import { normalPlan, type PlanDocument } from "./normal-form";

const STATE = "terraform.tfstate";
const PLAN = "planned";

/** Terraform or OpenTofu, with the provider served from this process. */
export class RealEngine implements Engine {
  readonly #workspace: Workspace;
  #serviceUrl = "";

  constructor(program: string, reattached: readonly ReattachServer[]) {
    const addresses = reattached.map(({ env }) => JSON.parse(env.TF_REATTACH_PROVIDERS) as object);
    this.#workspace = new Workspace(program, {
      TF_REATTACH_PROVIDERS: JSON.stringify(Object.assign({}, ...addresses)),
    });
    this.#workspace.delete("versions.tf");
  }

  declare({ configuration, variables, serviceUrl }: Declared): void {
    this.#serviceUrl = serviceUrl;
    this.#workspace.write("main.tf.json", JSON.stringify(configuration));
    this.#workspace.write("terraform.tfvars.json", JSON.stringify(variables));
  }

  plan = (request: Request): Promise<Planned> => this.#plan(request, []);

  async planFrom(state: string, request: Request): Promise<Planned> {
    this.#workspace.write("taken-over.tfstate", state);
    return this.#plan(request, ["-state=taken-over.tfstate"]);
  }

  async #plan({ mode, targets = [], replace = [] }: Request, more: readonly string[]): Promise<Planned> {
    const words = [
      "plan",
      `-out=${PLAN}`,
      ...(mode === undefined ? [] : [`-${mode}`]),
      ...targets.map((target) => `-target=${target}`),
      ...replace.map((address) => `-replace=${address}`),
      ...more,
    ];
    const { code, output } = await this.#workspace.run(words);
    if (code !== 0) return { plan: undefined, refusal: output };
    const { stdout } = await this.#workspace.succeed("show", "-json", PLAN);
    return { plan: normalPlan(parseJson(stdout) as PlanDocument, this.#serviceUrl), refusal: "" };
  }

  async apply(): Promise<Applied> {
    const { code, output } = await this.#workspace.run(["apply", PLAN]);
    return { succeeded: code === 0, said: output };
  }

  state(): string | undefined {
    return existsSync(path.join(this.#workspace.folder, STATE)) ? this.#workspace.read(STATE) : undefined;
  }

  writeState(text: string): void {
    this.#workspace.write(STATE, text);
  }

  remove(): void {
    this.#workspace.remove();
  }
}
