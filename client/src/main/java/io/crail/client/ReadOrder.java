// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

/** In which order the members of a MULTIFILE are read. */
public enum ReadOrder {
    /** Members in order of their names (unsigned bytes of UTF-8), each from its start. */
    NAME,
    /** Pieces as they arrive: a slow storage server holds up only what lies on it. */
    ANY
}
