// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Who may touch which block when: generation check, in-flight references, revocation. Data services
 * enter with a reference's fields before they touch memory and leave when the last byte has moved;
 * the frame enters with revocations. The rules are those of docs/adr/0001-consistency.md.
 */
@NullMarked
package io.crail.storage.block;

import org.jspecify.annotations.NullMarked;
