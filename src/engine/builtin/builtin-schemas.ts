import { computed, optional, required, type Schema } from "../../schema";
import { TERRAFORM_DATA } from "./terraform-data";

/** The schema of the data source `terraform_remote_state`: the outputs that another configuration's state keeps. */
const REMOTE_STATE: Schema = {
  version: 0,
  description: "Reads the outputs of another configuration from its state. Part of Terraform itself.",
  attributes: {
    backend: required.string({ description: "What keeps that state: `local` or `http`." }),
    config: optional.any({ description: "The backend's settings, such as `path`." }),
    defaults: optional.any({ description: "Outputs to take where the state has none of that name." }),
    workspace: optional.string({ description: "The workspace whose state is read." }),
    outputs: computed.any({ description: "The outputs, by name." }),
  },
};

/** The schemas of what is part of Terraform itself, by mode and type. */
export const BUILTIN_SCHEMAS = {
  managed: { terraform_data: TERRAFORM_DATA },
  data: { terraform_remote_state: REMOTE_STATE },
} as const;

/** The schema of a resource or data source that is part of Terraform itself. */
export const builtinSchema = (mode: "managed" | "data", type: string): Schema | undefined =>
  (BUILTIN_SCHEMAS[mode] as Readonly<Record<string, Schema>>)[type];
