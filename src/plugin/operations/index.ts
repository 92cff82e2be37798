import { readDataSource } from "./data-source";
import * as notProvided from "./not-supported";
import type { Operation, OperationName } from "./operation";
import { applyResourceChange, planResourceChange } from "./resource-change";
import { importResourceState, moveResourceState, readResource, upgradeResourceState } from "./resource-state";
import { getFunctions, getMetadata, getProviderSchema, getResourceIdentitySchemas } from "./schema";
import { stopProvider } from "./stop";
import {
  configureProvider,
  validateDataResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from "./validate";

/** The implementation of every procedure of the protocol. */
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
  UpgradeResourceIdentity: notProvided.upgradeResourceIdentity,
  ValidateEphemeralResourceConfig: notProvided.validateEphemeralResourceConfig,
  OpenEphemeralResource: notProvided.openEphemeralResource,
  RenewEphemeralResource: notProvided.renewEphemeralResource,
  CloseEphemeralResource: notProvided.closeEphemeralResource,
  ValidateListResourceConfig: notProvided.validateListResourceConfig,
  CallFunction: notProvided.callFunction,
};
