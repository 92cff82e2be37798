// gRPC over Node's HTTP/2, for `plugin`. This module knows no messages of Terraform.

export type { Procedure, Procedures } from "./call";
export { GrpcServer } from "./grpc-server";
export { listen } from "./socket";
