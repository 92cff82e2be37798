import path from "node:path";
import { deepJson } from "../../support/deep-json";
import { COPY } from "../support/app";
import { type Place, TOKENS } from "../support/place";

const PROVIDER = { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } };
/** The blocks of a configuration. All else that `declare` names is a type of resources. */
const BLOCKS =
  /^(?:terraform|provider|variable|locals|data|output|check|moved|removed|import|resource|\/\/)$/;

export const deepConfiguration = (levels: number) => ({
  output: { deep: { value: JSON.parse(deepJson(levels)) }, kept: { value: "${terraform_data.deep.output}" } },
  resource: { terraform_data: { deep: { input: JSON.parse(deepJson(levels, "object")) } } },
});

export function configured(declared: Readonly<Record<string, object>>): object {
  const [blocks, resource] = [true, false].map((isBlock) =>
    Object.fromEntries(Object.entries(declared).filter(([name]) => BLOCKS.test(name) === isBlock)),
  );
  return { terraform: PROVIDER, provider: { steward: [{}] }, resource, ...blocks };
}

interface Declared {
  readonly after?: readonly string[];
  readonly backend?: object;
}

/** An app whose command copies these stacks, which `after: [name]` orders; `backend` takes the place of a local one. */
export function declareStacks(place: Place, stacks: Readonly<Record<string, Declared>>): void {
  const entries = Object.entries(stacks).map(([name, { after = [], backend, ...declared }]) => {
    const local = { path: path.join(place.folder, `terraform.${name}.tfstate`) };
    const configuration = {
      provider: { steward: [{ base_url: place.service.url, token: TOKENS.maintainer }] },
      ...declared,
    };
    const terraform = { ...PROVIDER, backend: backend ?? { local } };
    const workingDirectory = `stacks/${name}`;
    place.write(`synthesized/${workingDirectory}/cdk.tf.json`, { ...configured(configuration), terraform });
    return [name, { name, constructPath: name, workingDirectory, dependencies: after, annotations: [] }];
  });
  place.write("synthesized/manifest.json", { version: "0", stacks: Object.fromEntries(entries) });
  place.write("cdktf.json", { language: "typescript", app: COPY });
}
