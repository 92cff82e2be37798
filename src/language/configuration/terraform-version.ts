/** The release of Terraform whose behavior is followed; new states and locks name it. */
export const FOLLOWED_TERRAFORM_VERSION = "1.11.4";
