// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What a store is, said once more and as simply as possible, and random operations that compare a
 * real cluster with it while its processes are killed. {@code StoreModelTest} enters; each class of
 * operations asks {@code ModelRun} for a client, dice and the model, does one thing to the store,
 * and the same to the model.
 */
@NullMarked
package io.crail.system.model;

import org.jspecify.annotations.NullMarked;
