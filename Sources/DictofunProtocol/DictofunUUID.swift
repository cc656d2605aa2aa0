/// UUIDs of services and characteristics; each is defined beside its service.
public enum DictofunUUID {}
