// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Reservations of a namespace: data of the commands, and the report. */
@NullMarked
package io.crail.nvmf.wire.reservation;

import org.jspecify.annotations.NullMarked;
