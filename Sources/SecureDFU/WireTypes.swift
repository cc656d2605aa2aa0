import DictofunProtocol

// Values of the update protocol that are part of this module's own vocabulary, so that those above need not import
// `DictofunProtocol` for them.

/// The first octet of a control point's request.
public typealias DFUOpCode = DictofunProtocol.DFUOpCode
/// The third octet of a control point's response.
public typealias DFUResultCode = DictofunProtocol.DFUResultCode
/// The fourth octet of a response whose third says `extendedError`.
public typealias DFUExtendedError = DictofunProtocol.DFUExtendedError
/// The kinds of object that are transferred.
public typealias DFUObjectType = DictofunProtocol.DFUObjectType
