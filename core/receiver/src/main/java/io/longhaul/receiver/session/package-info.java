// SPDX-License-Identifier: Apache-2.0
/**
 * What a handshake settled, and what lives as long as a session: its requests, its tasks, its share of each limit. The
 * package does not know how a request is answered, nor what a stream carries.
 */
@NullMarked
package io.longhaul.receiver.session;

import org.jspecify.annotations.NullMarked;
