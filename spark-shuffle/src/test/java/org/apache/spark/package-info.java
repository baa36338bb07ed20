// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** What has to be in Spark's package to extend its suites. */
@NullMarked
package org.apache.spark;

import org.jspecify.annotations.NullMarked;
