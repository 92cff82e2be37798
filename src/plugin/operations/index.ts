import { generateResourceConfig, listResource, validateListResourceConfig } from "./list-resource";
import * as notSupported from "./not-supported";
import type { Operation, OperationName, Streaming, StreamName } from "./operation";
import {
  callFunction,
  configureProvider,
  getFunctions,
  getMetadata,
  getProviderSchema,
  getResourceIdentitySchemas,
  stopProvider,
  validateDataResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from "./provider";
import { applyResourceChange, planResourceChange } from "./resource-change";
import {
  importResourceState,
  moveResourceState,
  readDataSource,
  readResource,
  upgradeResourceIdentity,
  upgradeResourceState,
} from "./resource-state";

export { UNIMPLEMENTED } from "./not-supported";

/** The implementation of every procedure with one response. */
export const OPERATIONS: { readonly [N in OperationName]: Operation<N> } = {
  GetMetadata: getMetadata,
  GetProviderSchema: getProviderSchema,
  GetResourceIdentitySchemas: getResourceIdentitySchemas,
  GetFunctions: getFunctions,
  ValidateProviderConfig: validateProviderConfig,
  ValidateResourceConfig: validateResourceConfig,
  ValidateDataResourceConfig: validateDataResourceConfig,
  UpgradeResourceState: upgradeResourceState,
  ConfigureProvider: configureProvider,
  ReadResource: readResource,
  PlanResourceChange: planResourceChange,
  ApplyResourceChange: applyResourceChange,
  ImportResourceState: importResourceState,
  MoveResourceState: moveResourceState,
  ReadDataSource: readDataSource,
  StopProvider: stopProvider,
  UpgradeResourceIdentity: upgradeResourceIdentity,
  ValidateEphemeralResourceConfig: notSupported.validateEphemeralResourceConfig,
  OpenEphemeralResource: notSupported.openEphemeralResource,
  RenewEphemeralResource: notSupported.renewEphemeralResource,
  CloseEphemeralResource: notSupported.closeEphemeralResource,
  ValidateListResourceConfig: validateListResourceConfig,
  CallFunction: callFunction,
  GenerateResourceConfig: generateResourceConfig,
  ValidateStateStoreConfig: notSupported.validateStateStoreConfig,
  ConfigureStateStore: notSupported.configureStateStore,
  LockState: notSupported.lockState,
  UnlockState: notSupported.unlockState,
  GetStates: notSupported.getStates,
  DeleteState: notSupported.deleteState,
  ValidateActionConfig: notSupported.validateActionConfig,
  PlanAction: notSupported.planAction,
};

/** The implementation of every procedure with a stream of responses that is not UNIMPLEMENTED. */
export const STREAMS: {
  readonly [N in Exclude<StreamName, (typeof notSupported.UNIMPLEMENTED)[number]>]: Streaming<N>;
} = {
  ListResource: listResource,
  InvokeAction: notSupported.invokeAction,
};
