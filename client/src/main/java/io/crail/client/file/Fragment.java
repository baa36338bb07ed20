// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import java.nio.ByteBuffer;

/** Appended bytes that have no block yet; the buffer's position moves as they get one. */
record Fragment(ByteBuffer data, DataOwner owner) {}
