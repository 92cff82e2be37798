import * as lists from "./list-resource";
import { InvokeAction, NOT_SUPPORTED, type UNIMPLEMENTED } from "./not-supported";
import type { Operation, OperationName, Streaming, StreamName } from "./operation";
import * as provider from "./provider";
import * as changes from "./resource-change";
import * as states from "./resource-state";

export { UNIMPLEMENTED } from "./not-supported";

const { ListResource, ...ofLists } = lists;

/** The implementation of every procedure with one response: these files export procedures alone, by their names. */
export const OPERATIONS: { readonly [N in OperationName]: Operation<N> } = {
  ...provider,
  ...changes,
  ...states,
  ...ofLists,
  ...NOT_SUPPORTED,
};

/** The implementation of every procedure with a stream of responses that is not UNIMPLEMENTED. */
export const STREAMS: {
  readonly [N in Exclude<StreamName, (typeof UNIMPLEMENTED)[number]>]: Streaming<N>;
} = { ListResource, InvokeAction };
