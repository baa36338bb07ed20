// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Frames: the fixed header in front of every message, and the bounds-checked reader and writer of
 * message fields. Everybody who sends or receives bytes enters here; nothing here knows what a
 * message means. Data passes through as (header, control fields, payload): see docs/protocol.md.
 */
@NullMarked
package io.crail.protocol.frame;

import org.jspecify.annotations.NullMarked;
