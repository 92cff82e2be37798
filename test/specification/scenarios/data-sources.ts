import type { ValueObject } from "../../../src/schema";
import { DATA_SAMPLES } from "../../provider/samples";
import { ID, inIds } from "../company";
import type { Scenario } from "../laboratory";

/** Returns a scenario that reads a data source once. */
const data = (type: string, given: ValueObject, note = ""): Scenario => ({
  name: `data ${type}${note}`,
  async run({ provider, connect }) {
    const { attributes } = provider.schema.dataSources[type]!;
    const config = { ...Object.fromEntries(Object.keys(attributes).map((name) => [name, null])), ...given };
    const answer = await connect().readDataSource({ type, config });
    const errors = answer.diagnostics.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return answer.attributes;
  },
});

/** Returns a scenario that reads the users that match a filter. */
const filtered = (filter: ValueObject): Scenario => {
  const [name] = Object.keys(filter);
  const whole = data("steward_enterprise_users", { group: String(ID.acme), ...filter }, ` by ${name}`);
  return {
    ...whole,
    async run(bench) {
      const { users } = (await whole.run(bench)) as {
        readonly users: readonly { readonly username: string }[];
      };
      return users.map(({ username }) => username);
    },
  };
};

const project = String(ID.web);
const group = String(ID.acme);

/** The arguments of samples that need another group in this company. */
const ELSEWHERE: Readonly<Record<string, ValueObject>> = { steward_group_invitations: { group } };

export const DATA_SOURCES: readonly Scenario[] = [
  ...Object.entries(DATA_SAMPLES)
    .filter(([, { isUnspecified }]) => isUnspecified !== true)
    .map(([type, { config }]) => data(type, ELSEWHERE[type] ?? inIds(config))),
  data("steward_project_invitations", { project, query: "ada@acme.example" }, " by query"),
  data("steward_group_invitations", { group, query: "ada@acme.example" }, " by query"),
  ...(
    [
      { username: "devon" },
      { search: "achebe" },
      { active: true },
      { blocked: true },
      { created_after: "2022-01-01T00:00:00Z" },
      { created_before: "2022-01-01T00:00:00Z" },
      { two_factor: "enabled" },
    ] as const
  ).map(filtered),
];
