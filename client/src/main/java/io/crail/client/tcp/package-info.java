// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * TCP: the transport that is always there, for calls to the namenode and for the data path to
 * storage servers. Nothing but ServiceLoader enters here. Frames go out from the thread that posts
 * them as far as the socket takes them, and come in on the polling thread, payload straight into
 * its target.
 */
@NullMarked
package io.crail.client.tcp;

import org.jspecify.annotations.NullMarked;
