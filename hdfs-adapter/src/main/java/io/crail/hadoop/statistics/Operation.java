// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.statistics;

import org.apache.hadoop.fs.statistics.StoreStatisticNames;

/** What a file system is asked for. The names are those of Hadoop and of HDFS. */
public enum Operation {
    APPEND(StoreStatisticNames.OP_APPEND, Kind.WRITE),
    BULK_DELETE(StoreStatisticNames.OP_BULK_DELETE, Kind.WRITE),
    CONCAT("op_concat", Kind.WRITE),
    CREATE(StoreStatisticNames.OP_CREATE, Kind.WRITE),
    CREATE_NON_RECURSIVE(StoreStatisticNames.OP_CREATE_NON_RECURSIVE, Kind.WRITE),
    DELETE(StoreStatisticNames.OP_DELETE, Kind.WRITE),
    EXISTS(StoreStatisticNames.OP_EXISTS, Kind.READ),
    GET_CONTENT_SUMMARY(StoreStatisticNames.OP_GET_CONTENT_SUMMARY, Kind.READ),
    GET_FILE_BLOCK_LOCATIONS("op_get_file_block_locations", Kind.READ),
    GET_FILE_CHECKSUM(StoreStatisticNames.OP_GET_FILE_CHECKSUM, Kind.READ),
    GET_FILE_STATUS(StoreStatisticNames.OP_GET_FILE_STATUS, Kind.READ),
    GET_QUOTA_USAGE("op_get_quota_usage", Kind.READ),
    GET_STATUS(StoreStatisticNames.OP_GET_STATUS, Kind.READ),
    GET_STORAGE_POLICY("op_get_storage_policy", Kind.READ),
    IS_FILE_CLOSED("op_is_file_closed", Kind.READ),
    LIST_LOCATED_STATUS(StoreStatisticNames.OP_LIST_LOCATED_STATUS, Kind.READ),
    LIST_STATUS(StoreStatisticNames.OP_LIST_STATUS, Kind.READ),
    MKDIRS(StoreStatisticNames.OP_MKDIRS, Kind.WRITE),
    OPEN(StoreStatisticNames.OP_OPEN, Kind.READ),
    OPENFILE(StoreStatisticNames.OP_OPENFILE, Kind.READ),
    RECOVER_LEASE("op_recover_lease", Kind.WRITE),
    RENAME(StoreStatisticNames.OP_RENAME, Kind.WRITE),
    SET_OWNER(StoreStatisticNames.OP_SET_OWNER, Kind.WRITE),
    SET_PERMISSION(StoreStatisticNames.OP_SET_PERMISSION, Kind.WRITE),
    SET_QUOTA("op_set_quota_usage", Kind.WRITE),
    SET_STORAGE_POLICY("op_set_storage_policy", Kind.WRITE),
    SET_TIMES(StoreStatisticNames.OP_SET_TIMES, Kind.WRITE),
    TRUNCATE(StoreStatisticNames.OP_TRUNCATE, Kind.WRITE),
    UNSET_STORAGE_POLICY("op_unset_storage_policy", Kind.WRITE),
    XATTR_GET_MAP(StoreStatisticNames.OP_XATTR_GET_MAP, Kind.READ),
    XATTR_GET_NAMED(StoreStatisticNames.OP_XATTR_GET_NAMED, Kind.READ),
    XATTR_GET_NAMED_MAP(StoreStatisticNames.OP_XATTR_GET_NAMED_MAP, Kind.READ),
    XATTR_LIST(StoreStatisticNames.OP_XATTR_LIST, Kind.READ),
    XATTR_REMOVE("op_remove_xattr", Kind.WRITE),
    XATTR_SET("op_set_xattr", Kind.WRITE);

    /** As which of the two that Hadoop counts by scheme. */
    enum Kind {
        READ,
        WRITE
    }

    private final String key;
    private final Kind kind;

    Operation(String key, Kind kind) {
        this.key = key;
        this.kind = kind;
    }

    /** Name of the statistic. */
    public String key() {
        return key;
    }

    Kind kind() {
        return kind;
    }
}
