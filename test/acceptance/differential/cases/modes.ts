import type { Blocks, DifferentialCase } from "../case";

const two = (name: string): Blocks => ({
  resource: {
    steward_job_token_scope: { [name]: { project: `acme/${name}`, inbound_enabled: true } },
    steward_protected_environment: {
      [name]: {
        project: `\${steward_job_token_scope.${name}.project}`,
        name: "production",
        deploy_access_levels: [{ access_level: 40 }],
      },
    },
  },
  output: { [name]: { value: `\${steward_protected_environment.${name}.id}` } },
});

/** Ways to plan that concern a whole configuration. */
export const modes: readonly DifferentialCase[] = [
  {
    name: "destroys",
    steps: [
      { does: "makes two objects", declares: two("destroys") },
      { does: "destroys them and the outputs", declares: two("destroys"), mode: "destroy" },
    ],
  },
  {
    name: "refreshes",
    steps: [
      { does: "makes two objects", declares: two("refreshes") },
      {
        does: "takes over what was changed and removed by hand",
        declares: two("refreshes"),
        mode: "refresh-only",
        byHand: async (http) => {
          await http("PATCH", "/projects/acme%2Frefreshes/job_token_scope", { enabled: false });
          await http("DELETE", "/projects/acme%2Frefreshes/protected_environments/production");
        },
      },
      { does: "makes it as declared afterwards", declares: two("refreshes") },
    ],
  },
  {
    name: "targeted",
    steps: [
      {
        does: "makes the target alone",
        declares: two("targeted"),
        targets: ["steward_job_token_scope.targeted"],
      },
      { does: "makes the rest", declares: two("targeted") },
    ],
  },
  {
    name: "refused",
    steps: [
      {
        does: "is refused where an attribute is missing",
        declares: { resource: { steward_job_token_scope: { refused: { inbound_enabled: true } } } },
        fails: "plan",
      },
      {
        does: "keeps what was done when the service refuses a part",
        declares: {
          resource: {
            steward_job_token_scope: { refused: { project: "acme/refused", inbound_enabled: false } },
            steward_protected_environment: {
              refused: {
                project: "${steward_job_token_scope.refused.project}",
                name: "nowhere",
                deploy_access_levels: [{ group: "acme/platform" }],
              },
            },
          },
        },
        fails: "apply",
      },
    ],
  },
];
