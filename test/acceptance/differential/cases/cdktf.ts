import type { DifferentialCase } from "../case";
import { synthesizedApp } from "../support/cdktf-app";

/** What cdktf itself writes of its iterators, functions, operators, tokens and lifecycles. */
export const cdktf: readonly DifferentialCase[] = [
  {
    name: "cdktf_app",
    steps: [
      { does: "takes all that cdktf writes", declares: synthesizedApp() },
      {
        does: "replaces what is triggered, and leaves what is ignored",
        declares: synthesizedApp(),
        variables: { cdktf_app_level: 60 },
        byHand: (http) => http("PATCH", "/projects/acme%2Fcdktf_app/job_token_scope", { enabled: false }),
      },
    ],
  },
];
