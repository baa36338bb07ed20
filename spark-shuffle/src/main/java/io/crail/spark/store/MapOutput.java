// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.CrailFile;
import io.crail.spark.layout.MapOutputIndex;

/**
 * The output of a map task, open.
 *
 * @param file its bytes
 * @param index whose they are
 */
public record MapOutput(CrailFile file, MapOutputIndex index) {}
