import type { Handlers } from "../../platform/context.ts";
import type { usersContract } from "@swath/contract/features/users/contract";
import type { UserService } from "./service.ts";

export function usersHandlers(service: UserService): Handlers<typeof usersContract> {
  return {
    createGroup: (request, by) => service.addGroup(by, request),
    manageGroup: (request, by) => service.manageGroup(by, request),
    async deleteGroup({ groupId }, by) {
      await service.deleteGroup(by, groupId);
      return {};
    },
    async deleteOrganization({ organizationId }, by) {
      await service.deleteOrganization(by, organizationId);
      return {};
    },
    groupInfo: ({ groupId }, by) => service.groupInfo(by, groupId),
    listGroups: (request, by) => service.listGroups(by, request),
    createOrganization: ({ name }, by) => service.addOrganization(by, name),
    listOrganizations: (request) => service.listOrganizations(request),
    info: async (request, { caller }) => (await service.info(caller, request)).answer,
    authorize: ({ token }) => service.authorize(token),
    manage: (request, by) => service.manage(by, request),
    createManaged: (request, by) => service.createManaged(by, request),
    async deleteManaged({ email }, by) {
      await service.deleteManaged(by, email);
      return {};
    },
    createInOrganization: (request, by) => service.createInOrganization(by, request),
    async changePassword(request, by) {
      await service.changePassword(by, request);
      return {};
    },
    list: (request, by) => service.list(by, request),
  };
}
