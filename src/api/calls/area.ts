import type { ClientOptions } from "../options";
import type { ListOperation, Operation } from "./operation";
import type { OperationSender } from "./operation-sender";

/** One part of the interface: its operations, and what a client has of it. Each file of `areas/` exports one under its own name. */
export interface Area<Members extends object> {
  /** All that `client` may send. Checks of requests and answers, and the page of operations, walk over them. */
  readonly operations: readonly (Operation | ListOperation)[];
  /** The members of the client, by name. Names are unique among all areas. */
  readonly client: (sender: OperationSender, options: ClientOptions) => Members;
}

/** Gives an area the types of its members. */
export const defineArea = <Members extends object>(area: Area<Members>): Area<Members> => area;
