import { GO_PROVIDER } from "../../../provider/support/go-states";
import type { Blocks, DifferentialCase } from "../case";
import type { StateFile } from "../support/normal-state";

const environment = (project: string, name: string, more: object = {}) => ({
  project: `acme/${project}`,
  name,
  deploy_access_levels: [{ access_level: 40 }],
  ...more,
});
const environments = (declared: object): Blocks => ({
  resource: { steward_protected_environment: declared },
});
const at = (name: string) => `steward_protected_environment.${name}`;

const named = ({ resources }: StateFile, name: string) => resources.find((one) => one.name === name)!;

/** One object, another one made from it, and several. */
const several = (name: string, lifecycle: object = {}, first = "production"): Blocks =>
  environments({
    [name]: environment(name, first, { lifecycle }),
    [`${name}_after`]: environment(name, `\${${at(name)}.name == "production" ? "staging" : "review"}`),
    [`${name}_many`]: environment(name, "review-${count.index}", { count: 2 }),
  });

const READER = "differential-token-that-only-reads";
const failedEnd = (token?: string): Blocks => ({
  provider: { steward: [{ alias: "failed_end", ...(token !== undefined && { token }) }] },
  ...environments({
    failed_end: environment("failed_end", "staging", {
      provider: "steward.failed_end",
      lifecycle: { create_before_destroy: true },
    }),
  }),
});

/** What a state says of objects beside their attributes: tainted, deposed, of another type; and `--replace`. */
export const states: readonly DifferentialCase[] = [
  ...[{ create_before_destroy: false }, { create_before_destroy: true }].map(
    (order, index): DifferentialCase => {
      const name = `tainted${index}`;
      return {
        name,
        steps: [
          { does: "makes objects", declares: several(name, order) },
          {
            does: "replaces what is tainted, and nothing else",
            // A name is there once: what is made first has to have another one.
            declares: several(name, order, order.create_before_destroy ? "review/new" : "production"),
            stateByHand: (state) => {
              named(state, name).instances[0]!.status = "tainted";
              named(state, `${name}_many`).instances[1]!.status = "tainted";
            },
          },
        ],
      };
    },
  ),
  {
    name: "tainted_gone",
    steps: [
      { does: "makes objects", declares: several("tainted_gone") },
      {
        does: "makes what is tainted and gone, and ends what is tainted and declared no more",
        declares: environments({ tainted_gone: environment("tainted_gone", "production") }),
        byHand: (http) => http("DELETE", "/projects/acme%2Ftainted_gone/protected_environments/production"),
        stateByHand: (state) => {
          for (const name of ["tainted_gone", "tainted_gone_after"])
            named(state, name).instances[0]!.status = "tainted";
        },
      },
    ],
  },
  {
    name: "replaced",
    steps: [
      { does: "makes objects", declares: several("replaced") },
      {
        does: "replaces what is asked for; a missing key and an unknown address replace nothing",
        declares: several("replaced"),
        replace: [at("replaced"), at("replaced_many[1]"), at("replaced_many"), at("replaced_none")],
      },
    ],
  },
  {
    name: "failed_end",
    fixture: {
      users: [
        {
          username: "reader",
          admin: true,
          tokens: [{ token: READER, name: "reader", scopes: ["read_api"] }],
        },
      ],
    },
    steps: [
      {
        does: "makes an object",
        declares: failedEnd(),
        byHand: (http) =>
          http("POST", "/projects/acme%2Ffailed_end/protected_environments", {
            name: "review",
            deploy_access_levels: [{ access_level: 40 }],
          }),
      },
      {
        does: "keeps a deposed object whose end fails",
        declares: failedEnd(READER),
        stateByHand: (state) => {
          const { instances } = named(state, "failed_end");
          const other = JSON.stringify(instances[0]).replaceAll("staging", "review");
          instances.push({ ...JSON.parse(other), deposed: "0a0b0c0d" });
        },
        fails: "apply",
      },
      { does: "ends it afterwards", declares: failedEnd() },
    ],
  },
  {
    name: "moved_across",
    steps: [
      {
        does: "takes over an object of another provider's type",
        declares: {
          resource: { steward_pages_settings: { moved_across: { project: "acme/moved_across" } } },
          moved: [
            {
              from: "gitlab_project_pages_settings.moved_across_old",
              to: "steward_pages_settings.moved_across",
            },
          ],
        },
        stateByHand: ({ resources }) =>
          void resources.push({
            mode: "managed",
            type: "gitlab_project_pages_settings",
            name: "moved_across_old",
            provider: `provider["${GO_PROVIDER}"]`,
            instances: [
              {
                schema_version: 0,
                attributes: {
                  id: "acme/moved_across",
                  project: "acme/moved_across",
                  keep_settings_on_destroy: true,
                  is_unique_domain_enabled: true,
                  force_https: true,
                },
              },
            ],
          }),
      },
    ],
  },
];
