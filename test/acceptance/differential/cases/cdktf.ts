import type { DifferentialCase } from "../case";
import { synthesizedApp } from "../support/cdktf-app";

/** Cases with the output of a cdktf app that uses iterators, functions, operators, tokens and lifecycles. */
export const cdktf: readonly DifferentialCase[] = [
  {
    name: "cdktf_app",
    steps: [
      {
        does: "takes all that cdktf writes, and over what is there",
        declares: synthesizedApp(),
        byHand: (http) =>
          http("POST", "/projects/acme%2Fcdktf_app/protected_environments", {
            name: "review",
            deploy_access_levels: [{ access_level: 40 }],
          }),
      },
      {
        does: "replaces what is triggered, and leaves what is ignored",
        declares: synthesizedApp(),
        variables: { cdktf_app_level: 60 },
        byHand: (http) => http("PATCH", "/projects/acme%2Fcdktf_app/job_token_scope", { enabled: false }),
      },
      {
        does: "moves what has other names",
        declares: synthesizedApp({ hasMoved: true }),
        variables: { cdktf_app_level: 60 },
      },
    ],
  },
];
