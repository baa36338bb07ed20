// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Checks that generated documents of the repository are up to date, and writes them on request. */
@NullMarked
package io.crail.cli.docs;

import org.jspecify.annotations.NullMarked;
