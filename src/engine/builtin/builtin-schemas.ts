import { computed, optional, required, type Schema } from "../../schema";
import { TERRAFORM_DATA } from "./terraform-data";

/** The schema of the data source `terraform_remote_state`. */
const REMOTE_STATE: Schema = {
  version: 0,
  description: "Reads the outputs of another configuration from its state. Part of Terraform itself.",
  attributes: {
    backend: required.string({ description: "The backend that stores the state: `local` or `http`." }),
    config: optional.any({ description: "The backend's settings, such as `path`." }),
    defaults: optional.any({ description: "Outputs to use where the state has none of that name." }),
    workspace: optional.string({ description: "The workspace whose state is read." }),
    outputs: computed.any({ description: "The outputs, by name." }),
  },
};

/** The schemas of Terraform's built-in resources and data sources, by mode and type. */
export const BUILTIN_SCHEMAS = {
  managed: { terraform_data: TERRAFORM_DATA },
  data: { terraform_remote_state: REMOTE_STATE },
} as const;

/** The schema of a built-in resource or data source; undefined for any other type. */
export const builtinSchema = (mode: "managed" | "data", type: string): Schema | undefined =>
  (BUILTIN_SCHEMAS[mode] as Readonly<Record<string, Schema>>)[type];
