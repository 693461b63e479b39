// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Function;

/**
 * Determines the caller of a request from anything in the request, in place of the authentication of Spring Security: a
 * bean of this type replaces Longhaul's default. The function runs on the thread of the container and must not block.
 * Thread-safe.
 */
@FunctionalInterface
public interface ServletCallers extends Function<HttpServletRequest, Resolution> {}
