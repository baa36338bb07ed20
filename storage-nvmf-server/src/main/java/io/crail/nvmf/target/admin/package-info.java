// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The commands of admin queues: properties, identify, features, log pages, keep-alive, abort. All
 * are carried out by the event loop of the admin queue, and none waits.
 */
@NullMarked
package io.crail.nvmf.target.admin;

import org.jspecify.annotations.NullMarked;
