// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

/** What is done to the namespace. */
public enum MetadataOperation {
    /** Asks for all attributes of a random path. */
    LOOKUP,
    /** Creates an empty file and closes it. */
    CREATE,
    /** Deletes an empty file. */
    DELETE,
    /** A page of a listing, from a random entry on. */
    LIST_PAGE,
    /** A listing from its first to its last entry. */
    LIST_ALL;

    /** Whether operations can be under way together. */
    boolean isAsynchronous() {
        return this != LIST_ALL;
    }

    /** Whether it needs a directory with entries. */
    boolean reads() {
        return this == LOOKUP || this == LIST_PAGE || this == LIST_ALL;
    }
}
